import { errorHelp } from './en/error-help.ts'
import { addTexts } from './texts.ts'

addTexts({ errorHelp })
