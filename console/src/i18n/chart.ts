import { chart } from './en/chart.ts'
import { addTexts } from './texts.ts'

addTexts({ chart })
