/**
 * Global style sheets are imported here only, so that a control does nothing by being imported
 * and a bundler can leave it out of a page that does not show it.
 */
import './tokens.css'
import './base.css'
