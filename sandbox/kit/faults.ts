import type { Call, ProviderName, Rule } from './types.ts'

import { seededRandom } from './random.ts'

/** `{ seed: 7, rate: 0.2 }`: one call in five fails, the same ones every time. */
export type Chaos = { seed: number; rate: number }

type ArmedRule = { rule: Rule; seen: number; left: number }

const CHAOS_ACTIONS: readonly Pick<Rule, 'when' | 'do'>[] = [
  { when: 'before', do: { status: 500 } },
  { when: 'before', do: { status: 503, headers: { 'retry-after': '1' } } },
  { when: 'before', do: 'reset' },
  { when: 'before', do: { delayMs: 300 } },
  { when: 'after', do: { status: 502, body: '<html><title>502 Bad Gateway</title></html>' } },
  { when: 'after', do: 'reset' },
  { when: 'after', do: 'truncate' },
]

/** Scripts and pictures are not API calls, and a preflight comes from the browser: no rule counts them. */
function isFaultable(call: Call): boolean {
  return call.method !== 'OPTIONS' && !/\.(js|css|webp|png|svg|ico)$/.test(call.path)
}

/** `*` matches one part of the path, `**` any number of them. The query is ignored. */
function pathFits(pattern: string, path: string): boolean {
  const source = pattern
    .split(/(\*\*|\*)/)
    .map((part) => (part === '**' ? '.*' : part === '*' ? '[^/]+' : part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')))
    .join('')
  return new RegExp(`^${source}$`).test(path)
}

function ruleMatches({ provider, match }: Rule, name: ProviderName, call: Call, key: string | undefined): boolean {
  if (provider !== name) return false
  if (match.method !== undefined && match.method.toUpperCase() !== call.method) return false
  if (match.path !== undefined && !pathFits(match.path, call.path)) return false
  if (match.external_id !== undefined && match.external_id !== key) return false
  return match.body === undefined || call.raw.toString('utf8').includes(match.body)
}

export type Faults = ReturnType<typeof openFaults>

/** Holds the active rules and chaos, and picks the fault for each call. */
export function openFaults() {
  let armed: ArmedRule[] = []
  let chaos: Chaos | undefined
  let random = seededRandom(0)

  return {
    add(rule: Rule): void {
      armed.push({ rule, seen: 0, left: rule.times ?? 1 })
    },
    list: (): (Rule & { left: number })[] => armed.map(({ rule, left }) => ({ ...rule, left })),
    /** @param name of a provider; without it, all rules */
    clear(name?: ProviderName): void {
      armed = name === undefined ? [] : armed.filter(({ rule }) => rule.provider !== name)
    },
    setChaos(wanted: Chaos | undefined): void {
      chaos = wanted && wanted.rate > 0 ? wanted : undefined
      random = seededRandom(wanted?.seed ?? 0)
    },
    chaos: (): Chaos | undefined => chaos,
    /**
     * Takes the fault for this call and uses it up. `nth` counts the calls that fit the rest of the match: a rule with
     * `nth: 2` lets the first one pass.
     * @param key the call's external_id, where it has one
     */
    take(name: ProviderName, call: Call, key: string | undefined): Rule | undefined {
      if (!isFaultable(call)) return undefined
      const fitting = armed.filter(({ rule }) => ruleMatches(rule, name, call, key))
      for (const one of fitting) one.seen += 1
      const due = fitting.find(({ rule, seen, left }) => left > 0 && seen >= (rule.match.nth ?? 1))
      if (due) {
        due.left -= 1
        return due.rule
      }
      if (!chaos || random() >= chaos.rate) return undefined
      const action = CHAOS_ACTIONS[Math.floor(random() * CHAOS_ACTIONS.length)]
      return action && { provider: name, match: { method: call.method, path: call.path }, ...action }
    },
  }
}
