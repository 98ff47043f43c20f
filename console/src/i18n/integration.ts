import { integration } from './en/integration.ts'
import { addTexts } from './texts.ts'

addTexts({ integration })
