/** Node by `require`: `program <address of the sandbox>`. */
const library = require('email-marketing-client');
const { scenario } = require('./scenario.cjs');

scenario(library, process.argv[2]).then(result => console.log(JSON.stringify(result)));
