import { later } from './en/later.ts'
import { addTexts } from './texts.ts'

addTexts({ later })
