import { audit } from './en/audit.ts'
import { addTexts } from './texts.ts'

addTexts({ audit })
