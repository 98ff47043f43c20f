import { statement } from './en/statement.ts'
import { addTexts } from './texts.ts'

addTexts({ statement })
