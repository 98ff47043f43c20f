import { sharing } from './en/sharing.ts'
import { addTexts } from './texts.ts'

addTexts({ sharing })
