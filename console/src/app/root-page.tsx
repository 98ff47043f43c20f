import { Outlet } from '@tanstack/react-router'
import { useIpBlock } from '../lib/ip-block.ts'
import { useCallToasts } from './call-toasts.ts'
import { useDocumentTitle } from './page-title.ts'
import { IpBlockedPage } from './pages/ip-blocked-page.tsx'

/** Around every page, signed in or not. */
export function RootPage() {
  useCallToasts()
  useDocumentTitle()
  const blockedIp = useIpBlock()
  return blockedIp === null ? <Outlet /> : <IpBlockedPage ip={blockedIp} />
}
