#!/usr/bin/env node
// The value of BROWSER for programs that open one: the user's browser is in the process of run.ts.
const [url] = process.argv.slice(2)
const response = await fetch(process.env.BROWSER_SERVER, { method: 'POST', body: url })
const text = await response.text()
if (!response.ok) throw new Error(`${response.status}: ${text}`)
// The URL with which it opens an app, or that of the page.
console.log(text)
