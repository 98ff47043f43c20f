/** A cluster cannot be had, or a part of it cannot be made: why, and what to do, as sentences. */
export class ClusterRefused extends Error {
  override readonly name = 'ClusterRefused'
}
