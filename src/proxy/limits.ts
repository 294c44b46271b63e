/** Most issues that an error reports to a page, so that a small body gets no large response. */
export const maxIssues = 100;

/** Most characters of an issue's path: a path holds keys that the page chose. */
export const maxPathLength = 200;

/** Longest result, in characters of JSON, that is remembered for a repeated call id. */
export const maxRememberedLength = 100_000;
