// Plain JavaScript for any Node >= 18: installs the locked packages once per lock file, so every command works in a fresh clone.
// After that, `node` in npm scripts is the pinned one in node_modules/.bin.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const stamp = 'node_modules/.installed'
const expected = createHash('sha256')
  .update(readFileSync('package-lock.json'))
  .update(`${process.platform} ${process.arch}`)
  .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== expected) {
  console.log('Installing packages (only when they have changed) ...')
  // Use the npm that started this script; the name alone could find another.
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  // No package needs an install script: binaries come as platform packages. `loglevel` hides an old npm's engine warnings.
  const run = (...command) => {
    const options = ['--ignore-scripts', '--loglevel=error']
    const { status } = spawnSync(npm[0], [...npm.slice(1), ...command, ...options], {
      stdio: 'inherit',
      shell: npm.length === 1,
    })
    if (status !== 0) process.exit(status ?? 1)
  }
  run('ci', '--no-audit', '--no-fund')
  // npm 9, which Debian has, leaves out a command that packages of other platforms have too.
  if (!existsSync('node_modules/.bin/node')) run('rebuild')
  if (process.platform === 'linux') addMissingLibrary()
  writeFileSync(stamp, expected)
}

/** A small Debian lacks the one library that Node's own binary needs. */
function addMissingLibrary() {
  const { status, stderr } = spawnSync('node_modules/.bin/node', ['--version'], { encoding: 'utf8' })
  if (status === 0) return
  const install = 'apt-get update -qq && apt-get install -y -qq libatomic1'
  const isRoot = process.getuid?.() === 0
  if (isRoot && spawnSync(install, { stdio: 'inherit', shell: true }).status === 0) return
  console.error(`${stderr ?? ''}Node needs a library that is missing here. As root: ${install}. Then start this again.`)
  process.exit(1)
}
