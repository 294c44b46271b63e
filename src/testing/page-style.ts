/** The look of the page: follows the system's light or dark, and is one column on a phone. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f5f6f8, #14171c);
  --sheet: light-dark(#fff, #1c2027);
  --line: light-dark(#dcdfe5, #343a45);
  --text: light-dark(#1b1f27, #e6e9ef);
  --quiet: light-dark(#5b6472, #a2abba);
  --accent: light-dark(#1f5fd0, #82aaff);
  --good: light-dark(#14713a, #6ed698);
  --bad: light-dark(#b3261e, #ff9a90);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.45 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; padding: .75rem 1rem; }
h1 { font-size: 1.15rem; margin: 0; }
h2 { font-size: 1rem; margin: 0; }
h2 output { color: var(--quiet); font-weight: 400; }
#state { margin: 0; color: var(--quiet); }
#state.lost { color: var(--bad); }
nav { margin-left: auto; display: flex; gap: .75rem; align-items: center; }
a { color: var(--accent); }
main {
  display: grid; gap: 1rem; padding: 0 1rem 2rem;
  align-items: start;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
}
section { background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; min-width: 0; }
.bar { display: flex; flex-wrap: wrap; gap: .5rem; justify-content: space-between; align-items: center; }
.rows { max-height: 24rem; overflow: auto; margin-top: .5rem; }
.rows > div { padding: .35rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.rows > p { color: var(--quiet); margin: .35rem 0; }
.rows small { display: block; color: var(--quiet); }
.rows b { font-weight: 600; }
.rows .good { color: var(--good); }
.rows .bad { color: var(--bad); }
.rows button { float: right; }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin-top: .5rem; }
label { display: grid; min-width: 0; max-width: 100%; color: var(--quiet); font-size: .8rem; }
.bar label { grid-auto-flow: column; gap: .5rem; align-items: center; }
input, select, button {
  font: inherit; font-size: .95rem; color: var(--text); background: var(--ground); max-width: 100%;
  border: 1px solid var(--line); border-radius: .35rem; padding: .3rem .5rem; min-height: 2.2rem;
}
input[type=number] { width: 7rem; }
button { cursor: pointer; border-color: var(--accent); color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
label[hidden] { display: none; }
#problem { color: var(--bad); margin: .35rem 0 0; }
`;
