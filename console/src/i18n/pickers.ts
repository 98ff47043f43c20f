import { pickers } from './en/pickers.ts'
import { addTexts } from './texts.ts'

addTexts({ pickers })
