/**
 * One place for global style sheets, so that a component module has no side effect and a bundler can leave it out of
 * a page that does not use it. Only the sheets of the Mantine parts we wrap: the full one is over our CSS budget.
 */
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Modal.css'
import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/Menu.css'
import '@mantine/core/styles/Tabs.css'
import '@mantine/core/styles/Tooltip.css'
import './tokens.css'
import './base.css'
import './kit.css'
