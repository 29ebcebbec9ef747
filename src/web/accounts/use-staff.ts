import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { userQuery } from '#web/api/queries.ts'
import { readStored, removeStored, writeStored } from '#web/app/browser-storage.ts'

const KEY = 'ownerSignedIn'
const isTrue = (value: unknown): value is true => value === true
const subscribeNever = () => () => {}

/** Whether somebody who works here is signed in. Browsers where none of them ever signed in make no request. */
export function useIsStaff(): boolean {
  const mayBeStaff = useSyncExternalStore(
    subscribeNever,
    () => readStored(KEY, isTrue) ?? false,
    () => false,
  )
  const { data: user } = useQuery({ ...userQuery, enabled: mayBeStaff })
  useEffect(() => {
    if (user?.role) writeStored(KEY, true)
    else if (user !== undefined) removeStored(KEY)
  }, [user])
  return (user?.role ?? null) !== null
}
