import { guide } from './en/guide.ts'
import { addTexts } from './texts.ts'

addTexts({ guide })
