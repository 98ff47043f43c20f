import { writing } from './en/writing.ts'
import { addTexts } from './texts.ts'

addTexts({ writing })
