import { reference } from './en/reference.ts'
import { addTexts } from './texts.ts'

addTexts({ reference })
