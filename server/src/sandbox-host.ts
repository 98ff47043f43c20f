/** SIGNIN-27: this machine, or a host that is called a sandbox, as `sandbox.example.com` or `eu.sandbox.example.com`. */
export function isSandboxHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  if (name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)) return true
  const labels = name.split('.')
  return labels.at(-1) === 'localhost' || labels.includes('sandbox')
}
