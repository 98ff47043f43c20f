import { parameters } from './en/parameters.ts'
import { addTexts } from './texts.ts'

addTexts({ parameters })
