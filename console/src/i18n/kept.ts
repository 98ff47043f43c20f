import { kept } from './en/kept.ts'
import { addTexts } from './texts.ts'

addTexts({ kept })
