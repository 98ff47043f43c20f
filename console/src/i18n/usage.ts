import { usage } from './en/usage.ts'
import { addTexts } from './texts.ts'

addTexts({ usage })
