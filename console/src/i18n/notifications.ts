import { notifications } from './en/notifications.ts'
import { addTexts } from './texts.ts'

addTexts({ notifications })
