import { activity } from './en/activity.ts'
import { addTexts } from './texts.ts'

addTexts({ activity })
