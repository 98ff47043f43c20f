import { asCode } from './en/as-code.ts'
import { addTexts } from './texts.ts'

addTexts({ asCode })
