import { useLocation, useParams } from '@tanstack/react-router'
import { GuidePage } from '../../features/guide/guide-page.tsx'
import { useNamePage } from '../page-name.ts'
import { guidePath } from '../paths.ts'

export function GuideRoute() {
  const { region, aid, page } = useParams({ from: '/$region/$aid/guide/{-$page}' })
  const heading = useLocation({ select: ({ hash }) => hash })
  const onNamed = useNamePage()
  return (
    <GuidePage
      name={page}
      heading={heading}
      addressOf={(name) => guidePath({ region, aid }, name)}
      onNamed={onNamed}
    />
  )
}
