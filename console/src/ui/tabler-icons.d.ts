/** One file per icon: the package's index makes a build read thousands of modules for a handful of icons. */
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  import type { FunctionComponent, SVGAttributes } from 'react'

  interface IconProps extends Omit<SVGAttributes<SVGSVGElement>, 'stroke'> {
    size?: number | string
    stroke?: number | string
  }
  const icon: FunctionComponent<IconProps>
  export default icon
}
