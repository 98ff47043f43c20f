import { editor } from './en/editor.ts'
import { i18n } from './start.ts'

i18n.addResourceBundle('en', 'translation', { editor }, true)
