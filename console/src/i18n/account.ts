import { account } from './en/account.ts'
import { addTexts } from './texts.ts'

addTexts({ account })
