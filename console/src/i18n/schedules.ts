import { schedules } from './en/schedules.ts'
import { addTexts } from './texts.ts'

addTexts({ schedules })
