import { existsSync } from 'node:fs'
import puppeteer from 'puppeteer-core'
import { installFromDebian } from '../chromium.ts'
import { ANSWER_WITHIN_MS, type Screen, type Tab } from './browser.ts'

const FIREFOX = '/usr/bin/firefox-esr'

/** @returns whether Firefox is available, after installing it from Debian's packages if missing and permitted */
export function findFirefox(): boolean {
  if (!existsSync(FIREFOX)) installFromDebian(['firefox-esr'])
  return existsSync(FIREFOX)
}

/** Starts a headless Firefox, controlled over WebDriver BiDi without a separate driver. */
export async function openFirefox(screen: Screen): Promise<Tab> {
  const firefox = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    defaultViewport: screen,
    timeout: ANSWER_WITHIN_MS,
    protocolTimeout: ANSWER_WITHIN_MS,
  })
  const page = await firefox.newPage()
  page.setDefaultTimeout(ANSWER_WITHIN_MS)
  return {
    goto: async (address) => void (await page.goto(address)),
    run: (act, ...given) => page.evaluate(act as (...given: unknown[]) => unknown, ...given) as never,
    press: (x, y, delay) => page.mouse.click(x, y, { delay }),
    type: (text) => page.keyboard.type(text),
    key: (name) => page.keyboard.press(name),
    picture: () => page.screenshot(),
    close: () => firefox.close(),
  }
}
