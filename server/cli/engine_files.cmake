# The conversation of `senet engine`, which is compiled twice: into the program and for browsers.
set(ENGINE_CONVERSATION engine_commands.c engine_game.c engine_hint.c engine_layout.c engine_lines.c engine_moves.c engine_random.c engine_reach.c
    engine_state.c engine_words.c random_games.c)
list(TRANSFORM ENGINE_CONVERSATION PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
