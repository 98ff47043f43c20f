import { resultView } from './en/result-view.ts'
import { addTexts } from './texts.ts'

addTexts({ resultView })
