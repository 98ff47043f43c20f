import { editor } from './en/editor.ts'
import { addTexts } from './texts.ts'

addTexts({ editor })
