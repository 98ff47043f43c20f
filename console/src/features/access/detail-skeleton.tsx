import { Page, Skeleton } from '../../ui/index.ts'

export const DetailSkeleton = () => (
  <Page>
    <Skeleton width={240} height={28} />
    <Skeleton height={34} />
    <Skeleton height={180} />
  </Page>
)
