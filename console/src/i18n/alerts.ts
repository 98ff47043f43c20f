import { alerts } from './en/alerts.ts'
import { addTexts } from './texts.ts'

addTexts({ alerts })
