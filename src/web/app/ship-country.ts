import { useSyncExternalStore } from 'react'
import { isDelivered } from '#domain/checkout/countries.ts'
import { readStored, writeStored } from './browser-storage.ts'

const HOME = 'US'

const isCountry = (value: unknown): value is string => typeof value === 'string' && isDelivered(value)

/** The country of the first language that names or suggests one we deliver to: `de-AT` is Austria, `de` is Germany. */
export function guessCountry(languages: readonly string[]): string {
  for (const language of languages) {
    const region = regionOf(language)
    if (region !== undefined && isDelivered(region)) return region
  }
  return HOME
}

function regionOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).maximize().region
  } catch {
    return undefined
  }
}

const listeners = new Set<() => void>()

/** Where the shopper wants it sent: as chosen in this tab, otherwise guessed. Nothing is stored for a guess. */
export const shipCountry = (): string => readStored('shipCountry', isCountry) ?? guessCountry(navigator.languages)

export function chooseCountry(country: string): void {
  if (!isDelivered(country) || country === shipCountry()) return
  writeStored('shipCountry', country)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The same for a component; pages are rendered alike for everybody, for the home country. */
export const useShipCountry = (): string => useSyncExternalStore(subscribe, shipCountry, () => HOME)
