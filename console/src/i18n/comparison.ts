import { comparison } from './en/comparison.ts'
import { addTexts } from './texts.ts'

addTexts({ comparison })
