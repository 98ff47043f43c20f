import { dashboards } from './en/dashboards.ts'
import { addTexts } from './texts.ts'

addTexts({ dashboards })
