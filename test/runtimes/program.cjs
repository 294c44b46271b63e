/** Node by `require`: `program scenario <address of the sandbox>`. */
const library = require('email-marketing-client');
const { scenario } = require('./scenario.cjs');

scenario(library, process.argv[3]).then(result => console.log(JSON.stringify(result)));
