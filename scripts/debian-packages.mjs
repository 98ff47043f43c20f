import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** As root, where there are such packages: nobody else could install them. */
export const canInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

export function install(name, packages) {
  console.log(`Installing ${name} from Debian’s packages …`)
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  try {
    execFileSync('apt-get', ['update', '-qq'], options)
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options)
  } catch (error) {
    console.error(`${name} could not be installed: ${error.message}`)
  }
}
