import { preview } from './en/preview.ts'
import { addTexts } from './texts.ts'

addTexts({ preview })
