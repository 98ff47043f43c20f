import { pivot } from './en/pivot.ts'
import { addTexts } from './texts.ts'

addTexts({ pivot })
