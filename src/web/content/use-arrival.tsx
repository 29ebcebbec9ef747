import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatRange } from '#site/text-format.ts'
import { countryInSentence } from '#domain/checkout/countries.ts'
import { say } from '#words/say.ts'
import { arrivalQuery } from '#web/api/queries.ts'
import { useSite } from '#web/api/use-site.ts'
import { useShipCountry } from '#web/app/ship-country.ts'
import { DateRange } from '#web/ui/DateRange.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'
import { useHydrated } from '#web/ui/use-form.ts'

/** When what is ordered today arrives, in two lines. Pages are the same for everybody, so the days of the shopper's country come in the browser. */
export function useArrival(): [ReactNode, string] {
  const { processingDays } = useSite()
  const country = useShipCountry()
  const { data: dates } = useQuery({ ...arrivalQuery(country), enabled: useHydrated() })
  return dates
    ? [
        <Sentence key="dates" word="Order today, get it {dates}" parts={{ dates: <DateRange dates={dates} /> }} />,
        say('In {country}', { country: countryInSentence(country) }),
      ]
    : [say('Made in {days} business days', { days: formatRange(processingDays) }), say('Then it is on its way to you')]
}
