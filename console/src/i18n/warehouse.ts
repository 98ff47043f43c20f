import { warehouse } from './en/warehouse.ts'
import { addTexts } from './texts.ts'

addTexts({ warehouse })
