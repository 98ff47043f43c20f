import { firewall } from './en/firewall.ts'
import { addTexts } from './texts.ts'

addTexts({ firewall })
