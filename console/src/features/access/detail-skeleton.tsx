import { Skeleton } from '../../ui/index.ts'
import styles from './access.module.css'

export const DetailSkeleton = () => (
  <div className={styles['page']}>
    <Skeleton width={240} height={28} />
    <Skeleton height={34} />
    <Skeleton height={180} />
  </div>
)
