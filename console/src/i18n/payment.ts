import { payment } from './en/payment.ts'
import { addTexts } from './texts.ts'

addTexts({ payment })
