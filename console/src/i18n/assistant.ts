import { assistant } from './en/assistant.ts'
import { addTexts } from './texts.ts'

addTexts({ assistant })
