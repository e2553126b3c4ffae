"""Given names in novels of the 19th century, which resolution uses in addition to those of `tables`; so do cells of
tables with two persons.

All other extraction depends on the names in `tables`: adding one there would make it necessary to read all texts again.
"""

from __future__ import annotations

from filigraph.graph.text.names.tables import GIVEN_NAMES, Gender

_MORE_MEN = """
    abner adalbert alcide alvin amable amos anthime asa athanase aubrey augustus aurele barnabas barney
    barthelemy bartle benedick bill billy blaise bob boniface casimir caspar charley chauncey chrysostome
    cyprian cyprien dan darius davy denzil desire dick dieudonne ebenezer edgard edme elijah elisha eloi erasmus
    eustace ezra felicien fitzroy florentin fulgence gaetan gamaliel gedeon germain gil giles hal hannibal
    harvey hezekiah hilarion hosea humphry ichabod ira jacky jamie jared jasper jeff jem jethro jonah jos josh
    josiah jude julius lancelot lemuel leonce levi linus lorimer lucius ludovick luther macaire magloire
    marcellin marmaduke marvin mat mathurin maxence maximilien medard melchior meshach miles montague mordecai
    morris nahum narcisse nat ned nehemiah nepomucene nicaise nick nicodemus noah obed odilon orrin osbert
    osmond pacome pamphile patrice paulin peregrine phil phileas philemon placide polycarpe ptolemy randolph
    raymon remy renaud reuben roderick rowland roy samson saturnin saul seth shadrach sigismond silvanus
    silvestre sosthene stanley stephano sylvester tertius thadee theodoric theophilus timoleon titus tommy
    toussaint tristram uriah walt wat wilfrid willie zachariah zebulon zephirin
"""
_MORE_WOMEN = """
    adah adolphine aggie aglae aimee albertina almira alphonsine amabel amabella annick annis arabel araminta armandine
    artemise athalie bathsheba becca bessy biddy caddy camilla carlotta carrie carry cassandra celimene celina
    cesarine clarinda clelia clementina clorinde constantia corisande dinah drusilla edmee eleanora elfrida
    elisee ellinor emerance emilienne emmy etty eudoxie euphrasie evadne fantine felicia felicite flavia flavie
    flore florrie flossie flossy francine georgiana gerty gervaise gillian ginevra hazel hedwige hepzibah
    hermance hermia hetty isaure jael janey janie jeannie jessie josepha josie joyce julienne justina kezia
    leocadie leonora leonore letty lilias lilla lillie livy lizbeth lizzie lizzy louison lucasta lucinda
    lucretia ludivine madelon madge maisie malvina mamie marcelline marcia marilla marinette marjory mattie
    matty maudie may medora meg mehitabel milly mima minerva minty mirette myra nan nana nance nanon netta
    nettie nini ninon noemi olive ottoline palmyre patty pearl peg perdita perrine petronille phebe philadelphia
    prissy pulcherie queenie rosabel rosalinda rosamond rosie rosine roxana roxy ruby seraphine sibyl sissy
    sophronia sophy sukey susannah susie sylvaine sylvanie tabby tess tessie theodorine thomasine tibby tina
    tirzah trixie trudie ursule vesta victorine viola winnie zenobia zephirine zillah
"""
ALL_GIVEN_NAMES: dict[str, Gender] = dict.fromkeys(_MORE_MEN.split(), "m")
ALL_GIVEN_NAMES |= dict.fromkeys(_MORE_WOMEN.split(), "f")
ALL_GIVEN_NAMES |= GIVEN_NAMES
