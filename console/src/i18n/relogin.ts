import { relogin } from './en/relogin.ts'
import { addTexts } from './texts.ts'

addTexts({ relogin })
