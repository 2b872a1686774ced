# cmake -DOUT=… -DNAME=sqlite -DSQL="a.sql;b.sql" -P: writes the SQL files, in order, as the C array of migrations.h.
set(texts "")
set(rows "")
set(number 0)
foreach(file IN LISTS SQL)
    math(EXPR number "${number} + 1")
    get_filename_component(name ${file} NAME)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND texts "static const char migration_${number}[] = {${bytes}0};\n")
    string(APPEND rows "    {\"${name}\", migration_${number}},\n")
endforeach()
file(WRITE ${OUT} "/* Made by embed_migrations.cmake. */\n#include \"server/store/migrations.h\"\n\n${texts}
const struct store_migration ${NAME}_migrations[] = {\n${rows}};\nconst int ${NAME}_migration_count = ${number};\n")
