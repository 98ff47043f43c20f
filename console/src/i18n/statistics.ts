import { statistics } from './en/statistics.ts'
import { addTexts } from './texts.ts'

addTexts({ statistics })
