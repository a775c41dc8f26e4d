/** A response that a test has published at a URL. */
export interface PublishedFile {
  status?: number
  headers?: Record<string, string>
  body?: string
  /** `hang`: the response never comes. `endless`: it never ends. */
  fault?: 'hang' | 'endless'
}
