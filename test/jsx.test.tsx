import * as fc from 'fast-check'
import { raw } from 'hono/html'
import { describe, expect, it } from 'vitest'

describe('our JSX', () => {
  it('[M7] escapes text and attributes, whatever they are', () => {
    const evil = `"><script>alert('1')</script>&`

    expect(String(<p title={evil}>{evil}</p>)).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</p>',
    )
  })

  it('[M7] lets no text out of its element', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        const page = String(
          <a href={text} title={text}>
            {text}
            {[text, [text]]}
          </a>,
        )
        expect(page.match(/[<>]/g)).toHaveLength(4)
        expect(page.match(/"/g)).toHaveLength(4)
      }),
    )
  })

  it('leaves out what is not there, and keeps what is markup', () => {
    const page = (
      <>
        {false}
        {undefined}
        {null}
        {0}
        <br />
        <input name="a" value={undefined} checked={true} disabled={false} />
        {raw('<b>bold</b>')}
      </>
    )

    expect(String(page)).toBe('0<br><input name="a" checked=""><b>bold</b>')
  })
})
